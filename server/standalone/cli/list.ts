/** The commands of `dyno`, in the order in which its help lists them. A new command is a file in `commands/` and a line here. */
import { baseline } from './commands/baseline';
import { bisect } from './commands/bisect';
import { capacity } from './commands/capacity';
import { certify } from './commands/certify';
import { compare } from './commands/compare';
import { confirm } from './commands/confirm';
import { elasticsearch } from './commands/elasticsearch';
import { history } from './commands/history';
import { importCommands } from './commands/import';
import { inspect } from './commands/inspect';
import { learn } from './commands/learn';
import { mask } from './commands/mask';
import { plan } from './commands/plan';
import { presets } from './commands/presets';
import { profile } from './commands/profile';
import { record } from './commands/record';
import { report } from './commands/report';
import { results } from './commands/results';
import { resume } from './commands/resume';
import { run } from './commands/run';
import { runs } from './commands/runs';
import { start } from './commands/start';
import { support } from './commands/support';
import { tune } from './commands/tune';
import { validate } from './commands/validate';
import { watch } from './commands/watch';
import { why } from './commands/why';
import { worker } from './commands/worker';
import type { Register } from './registration';

export const COMMANDS: readonly Register[] = [
  run,
  resume,
  tune,
  start,
  worker,
  validate,
  plan,
  record,
  inspect,
  mask,
  learn,
  importCommands,
  presets,
  certify,
  support,
  runs,
  report,
  profile,
  compare,
  history,
  baseline,
  watch,
  confirm,
  bisect,
  why,
  capacity,
  results,
  elasticsearch,
];

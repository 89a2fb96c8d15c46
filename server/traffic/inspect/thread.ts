/**
 * Entry file of the thread that surveys (summarizes) a file with traffic. It is a separate thread, because the host must stay responsive.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import type { FromSurvey } from './messages';
import { surveyFile } from './survey-file';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the entry of a worker thread');
const send = (message: FromSurvey): void => port.postMessage(message);

surveyFile(String(workerData), (read, of) => send({ read, of })).then(
  (answer) => send({ answer }),
  (error: unknown) => {
    const own =
      error instanceof DynoError ? error : runError('traffic.survey', String(workerData), messageOf(error));
    send({ kind: own.kind, problems: own.problems });
  },
);

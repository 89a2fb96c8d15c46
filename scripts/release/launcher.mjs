// Entry file of the installed command; see npm.mjs.
import '../ends.mjs';
import { checkNode } from '../bootstrap.mjs';

checkNode();
await import('../dyno.js');

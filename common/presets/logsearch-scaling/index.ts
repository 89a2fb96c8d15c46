/** Every experiment of the account `logsearch-scaling`: its deployments, then its two steps that one setting makes. */
import type { Preset } from '../preset';
import { logsearchDeployments } from './deployments';
import { logsearchMerges } from './merges';
import { logsearchParsers } from './parsers';

export const LOGSEARCH_SCALING: readonly Preset[] = [logsearchDeployments, logsearchParsers, logsearchMerges];

/**
 * Routes of the notes and the baseline that people add to the history of an experiment (the list of its runs). The route of the history
 * returns notes and baseline too.
 */
import * as z from 'zod';
import { LONGEST_NOTE, type Baseline, type HistoryNote, type ResolvedBaseline } from '../history/annotations';
import { route } from './route';

const id = z.string().min(1).max(200);
const time = z.iso.datetime();

/** Name of the author. It is used only if the host has no authentication; otherwise the author is the user. */
const author = z.string().max(200).default('');

const noteText = z.string().trim().min(1).max(LONGEST_NOTE);

/** Subject of a note: a run of the experiment, or a time (ISO 8601). A date means the start of that day in UTC. */
const about = z.union([z.strictObject({ run: id }), z.strictObject({ at: z.union([time, z.iso.date()]) })]);
export type NoteAbout = z.output<typeof about>;

export const noteSchema: z.ZodType<HistoryNote> = z.object({
  id,
  version: z.string(),
  run: id.nullable(),
  at: time,
  text: z.string(),
  author: z.string(),
  created: time,
  updated: time,
});

/**
 * The baseline with which newer runs are compared. It is one run, or all runs since a time in which a property (*trait*) has a certain
 * value, such as version 9.1 of Elasticsearch.
 */
const baselineOf = z.union([
  z.strictObject({ run: id }),
  z.strictObject({
    trait: z.string().min(1).max(200),
    value: z.string().min(1).max(1000),
    since: time.nullable().default(null),
  }),
]);

const kept = { author: z.string(), updated: time };
const baseline: z.ZodType<Baseline> = z.union([
  z.object({ run: id, ...kept }),
  z.object({ trait: z.string(), value: z.string(), since: time.nullable(), ...kept }),
]);

export const baselineStatusSchema: z.ZodType<ResolvedBaseline> = z.object({
  baseline,
  label: z.string(),
  /** Indices of the baseline's runs in `nights`, the list of all runs of a history. */
  nights: z.array(z.number().int()).readonly(),
  /** Id of the newest run of the baseline; null if all runs of the baseline were deleted. */
  run: id.nullable(),
});

const oneExperiment = z.object({ id });
const oneNote = z.object({ id, note: id });

export const ANNOTATION_ROUTES = {
  addNote: route({
    method: 'POST',
    path: '/api/dyno/experiments/{id}/notes',
    summary: 'Add a note about a run or a time to the history',
    privilege: 'manage',
    params: oneExperiment,
    body: z.strictObject({ text: noteText, about, author }),
    answer: 'json',
    response: noteSchema,
    status: 201,
  }),
  saveNote: route({
    method: 'PUT',
    path: '/api/dyno/experiments/{id}/notes/{note}',
    summary: 'Change a note; 409 with the current note if `version` is not the newest',
    privilege: 'manage',
    params: oneNote,
    body: z.strictObject({ text: noteText, about: about.optional(), version: z.string() }),
    answer: 'json',
    response: noteSchema,
  }),
  deleteNote: route({
    method: 'DELETE',
    path: '/api/dyno/experiments/{id}/notes/{note}',
    summary: 'Remove a note',
    privilege: 'manage',
    params: oneNote,
    answer: 'json',
    response: z.object({}),
  }),
  getBaseline: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/baseline',
    summary: 'The baseline of an experiment, and the traits that can define one',
    privilege: 'read',
    params: oneExperiment,
    answer: 'json',
    response: z.object({
      baseline: baselineStatusSchema.nullable(),
      /**
       * Properties of runs (*traits*), such as the version of Elasticsearch, with their values. A user can choose as baseline all runs with
       * one of these values. The newest values come first.
       */
      traits: z.array(z.object({ trait: z.string(), value: z.string() })),
    }),
  }),
  setBaseline: route({
    method: 'PUT',
    path: '/api/dyno/experiments/{id}/baseline',
    summary:
      'Set the baseline with which the newest runs are compared: one run, or all runs with one value of a trait',
    privilege: 'manage',
    params: oneExperiment,
    body: z.strictObject({ of: baselineOf, author }),
    answer: 'json',
    response: baselineStatusSchema,
  }),
  removeBaseline: route({
    method: 'DELETE',
    path: '/api/dyno/experiments/{id}/baseline',
    summary: 'Remove the baseline',
    privilege: 'manage',
    params: oneExperiment,
    answer: 'json',
    response: z.object({ removed: z.boolean() }),
  }),
};

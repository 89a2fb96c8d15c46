/** The section of tasks of the editor's form. */
import { freeName, listAt, type FormSection, type ItemAdder, type Written } from '../fields/form';
import type { FormPart, TaskKindDescription } from './kind';
import { kindOf, taskKind, TASK_KINDS } from './registry';

const nameOf = (task: unknown): unknown => (Object(task) as Written)['name'];

export const TASKS: FormSection<FormPart | 'executor'> = {
  title: { id: 'dyno.editor.tasks.title', text: 'Work' },
  roots: ['tasks'],
  summary: (written) => listAt(written, 'tasks').map(nameOf).join(', '),
  rows: [
    {
      kind: 'group',
      shown: (written) => listAt(written, 'tasks').length > 1,
      rows: [
        {
          kind: 'note',
          text: { id: 'dyno.editor.tasks.note', text: 'All tasks run at the same time.' },
        },
      ],
    },
    {
      kind: 'list',
      key: 'tasks',
      label: { id: 'dyno.editor.tasks.label', text: 'Tasks' },
      hidesLabel: true,
      keepsOne: true,
      type: (task) => taskKind(kindOf(task)).label,
      item: { remove: { id: 'dyno.editor.task.remove', text: 'Remove {name}' } },
      adds: (TASK_KINDS as readonly TaskKindDescription[]).map(
        ({ name, add, first: { work, executor } }): ItemAdder => ({
          text: add,
          item: (tasks) => ({ name: freeName(name, tasks), [name]: work, executor }),
        }),
      ),
      itemRows: (task) => {
        const kind = kindOf(task);
        return [
          {
            kind: 'text',
            key: 'name',
            required: true,
            label: { id: 'dyno.editor.task.name', text: 'Name' },
            help: { id: 'dyno.editor.task.nameHelp', text: 'Conditions and factors use this name.' },
          },
          { kind: 'within', key: kind, rows: taskKind(kind).form },
          { kind: 'part', part: 'executor' },
        ];
      },
    },
  ],
};

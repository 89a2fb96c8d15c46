/** The types of Kibana's Task Manager that Dyno uses. ../sdk.ts explains from which version of Kibana they are copied. */

/** One task of Kibana's Task Manager. Source: x-pack/platform/plugins/shared/task_manager/server. */
export interface TaskInstance {
  id: string;
  taskType: string;
  params: Record<string, unknown>;
  state: Record<string, unknown>;
}

/**
 * Result of executing a task. If `runAt` is set, the task is executed again at that time. Otherwise, Task Manager removes the task, unless
 * the task has an interval.
 */
export interface TaskResult {
  state: Record<string, unknown>;
  runAt?: Date;
}

/** Definition of a task type. All versions accept its keys. Newer versions throw on `maxConcurrency`, older ones on unknown keys. */
export interface TaskDefinition {
  title: string;
  timeout: string;
  maxAttempts: number;
  /** Cost of the task, as Kibana's Task Manager counts it. Only `versions.ts` sets it, because older versions do not accept this key. */
  cost?: number;
  createTaskRunner(context: { taskInstance: TaskInstance }): {
    run(): Promise<TaskResult>;
    cancel(): Promise<void>;
  };
}

export interface TaskManagerSetup {
  registerTaskDefinitions(definitions: Record<string, TaskDefinition>): void;
}

/** Kibana's interface to the Task Manager. Methods reject with errors of the saved objects client, or with an `Error`. */
export interface TaskManagerStart {
  schedule(task: TaskInstance & { runAt: Date }): Promise<unknown>;
  ensureScheduled(task: TaskInstance & { schedule: { interval: string } }): Promise<unknown>;
  removeIfExists(id: string): Promise<void>;
  get(id: string): Promise<TaskInstance>;
  fetch(options: { query: object; size: number }): Promise<{ docs: TaskInstance[] }>;
}

/** What Dyno uses of Kibana's Task Manager; of the rest, and where it was read: ../sdk.ts. */

/** x-pack/platform/plugins/shared/task_manager/server */
export interface TaskInstance {
  id: string;
  taskType: string;
  params: Record<string, unknown>;
  state: Record<string, unknown>;
}

/** With neither `runAt` nor `schedule` the task is done and removed, unless it was scheduled at an interval. */
export interface TaskResult {
  state: Record<string, unknown>;
  runAt?: Date;
}

/** Newer versions throw on `maxConcurrency`, older ones on what they do not know: nothing more than this. */
export interface TaskDefinition {
  title: string;
  timeout: string;
  maxAttempts: number;
  /** By `versions.ts` alone. */
  cost?: number;
  createTaskRunner(context: { taskInstance: TaskInstance }): {
    run(): Promise<TaskResult>;
    cancel(): Promise<void>;
  };
}

export interface TaskManagerSetup {
  registerTaskDefinitions(definitions: Record<string, TaskDefinition>): void;
}

/** Fails as saved objects do, or with an error that only says so. */
export interface TaskManagerStart {
  schedule(task: TaskInstance & { runAt: Date }): Promise<unknown>;
  ensureScheduled(task: TaskInstance & { schedule: { interval: string } }): Promise<unknown>;
  removeIfExists(id: string): Promise<void>;
  get(id: string): Promise<TaskInstance>;
  fetch(options: { query: object; size: number }): Promise<{ docs: TaskInstance[] }>;
}

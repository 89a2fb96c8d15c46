/**
 * The entry of each thread of the load. The first message decides what the thread does: send requests, read documents, parse lines, test
 * how lines are parsed, or find true neighbours.
 */
import { parentPort } from 'node:worker_threads';
import type { FromShare, ToShare } from './messages';
import { findInThread, type ToNeighboursThread } from './neighbours/neighbours';
import { Feeder } from './parse/feeder';
import type { FromParserThread, ToFeederThread, ToParserThread } from './parse/messages';
import { Parser } from './parse/parser';
import { tryInThread, type ToTryingThread } from './parse/try-lines';
import { Reader, type ToReaderThread } from './read/reader';
import { rehearse } from './timing/rehearsal';
import { ShareRun } from './threads/share';

const port = parentPort;
if (port === null) throw new Error('worker.ts is the entry of a worker thread');

const send = (message: FromShare | FromParserThread): void => {
  port.postMessage(message);
};

type ToThread =
  | ToShare
  | ToFeederThread
  | ToParserThread
  | ToReaderThread
  | ToTryingThread
  | ToNeighboursThread;

/** Prepares to send a part of the load. Returns the function that processes the messages that follow. */
function carry({ job, parsers, fence, readers }: ToShare & { kind: 'prepare' }): (message: ToThread) => void {
  const run = new ShareRun(job, send, parsers, fence, readers);
  return (next) => {
    if (next.kind === 'ping') send({ kind: 'pong' });
    else if (next.kind === 'begin') run.begin(next.start);
    else if (next.kind === 'finish') run.finish();
    else if (next.kind === 'rate') run.follow(next.task, next.order);
    else if (next.kind === 'stop') run.stop();
    else if (next.kind === 'abort') run.abort();
  };
}

/** Processes the messages to this thread. The first message decides what the thread does, and replaces this function. */
let receive: (message: ToThread) => void = (message) => {
  switch (message.kind) {
    case 'prepare': {
      const early: ToThread[] = [];
      receive = (next) => early.push(next);
      void rehearse(message.job).then(() => {
        receive = carry(message);
        for (const next of early) receive(next);
      });
      break;
    }
    case 'feed': {
      const feeder = new Feeder(message.job, message.parsers, send);
      receive = (next) => {
        if (next.kind === 'stop') feeder.stop();
      };
      break;
    }
    case 'parse': {
      const parser = new Parser(message.job, message.feeder, message.senders, send);
      receive = (next) => {
        if (next.kind === 'begin') parser.begin(next.start);
        else if (next.kind === 'measured') parser.endMeasure(next.until);
        else if (next.kind === 'stop') parser.stop();
      };
      break;
    }
    case 'read':
      new Reader(message.job, message.sender);
      break;
    case 'try':
      tryInThread(message, port);
      break;
    case 'neighbours':
      port.postMessage(findInThread(message));
      break;
  }
};

port.on('message', (message: ToThread) => {
  receive(message);
});

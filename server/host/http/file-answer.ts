/** Prepares files for download, both in Kibana and in the standalone server. */
import type { Readable } from 'node:stream';
import type { FileAnswer, StreamAnswer } from '../../routes/handler';

export interface SentFile {
  headers: { 'content-type': string; 'content-disposition': string };
  body: string | Readable;
}

/**
 * Returns the headers and the body for the download of a file. Text is encoded as UTF-8. The name of the file is escaped for the header.
 */
export function sentFile(answer: FileAnswer | StreamAnswer): SentFile {
  const { contentType, fileName } = answer;
  const isText = 'text' in answer;
  return {
    headers: {
      'content-type': isText ? `${contentType}; charset=utf-8` : contentType,
      'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`,
    },
    body: isText ? answer.text : answer.stream,
  };
}

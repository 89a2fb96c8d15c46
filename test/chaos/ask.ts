/** Sends one request directly to a cluster, bypassing the proxies that inject faults. */
import { request } from 'undici';

export async function ask<T>(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: object,
): Promise<T> {
  const answer = await request(url, {
    method,
    reset: true,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  return (await answer.body.json()) as T;
}

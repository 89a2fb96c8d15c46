import { act, screen } from '@testing-library/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../api/client';
import { show } from '../testing/fake-host';
import { Loadable } from './loadable';

afterEach(() => jest.useRealTimers());

test('an answer that takes more than ten seconds is reported as slower than usual', () => {
  jest.useFakeTimers();
  const query = { data: undefined, error: null } as unknown as UseQueryResult<string, ApiError>;
  show(<Loadable query={query}>{(text) => text}</Loadable>);
  act(() => {
    jest.advanceTimersByTime(9900);
  });
  expect(screen.queryByText(/longer than usual/)).toBeNull();
  act(() => {
    jest.advanceTimersByTime(200);
  });
  screen.getByText(/longer than usual/);
});

import { readDefinitionText } from '../../../common/experiment/read';
import { trafficText } from './start';

test('a replay of a recording is a valid definition with the file, the target and the duration of the recording', () => {
  const definition = readDefinitionText(
    trafficText("days/o'shop: 1.traffic.gz", { target: 'shop', format: 'dyno', lastsMs: 95_400 }),
    'replay.yml',
  );
  expect(definition).toMatchObject({
    name: "Replay of o'shop: 1",
    target: 'shop',
    tasks: [{ replay: { file: "days/o'shop: 1.traffic.gz" }, executor: { recorded: { speed: 1 } } }],
    measure: { warmup: '10s', duration: '85s' },
  });
});

test('a long recording is measured for ten minutes, and a short one as a whole', () => {
  const measured = (lastsMs: number | null) =>
    readDefinitionText(
      trafficText('a.traffic.gz', { target: 'local', format: 'dyno', lastsMs }),
      'replay.yml',
    ).measure;
  expect(measured(86_400_000)).toMatchObject({ warmup: '10s', duration: '600s' });
  expect(measured(null)).toMatchObject({ duration: '600s' });
  expect(measured(4000)).toMatchObject({ warmup: '0s', duration: '4s' });
});

test('the format is written if the name of the file does not show it', () => {
  const replayOf = (file: string, format: string) =>
    readDefinitionText(trafficText(file, { target: 'local', format, lastsMs: 4000 }), 'replay.yml').tasks[0]!
      .replay;
  expect(replayOf('audit.json', 'audit-log')).toMatchObject({ format: 'audit-log' });
  expect(replayOf('monday.gz', 'dyno')).toMatchObject({ format: 'traffic' });
  expect(replayOf('monday.har', 'har')!.format).toBeUndefined();
  expect(replayOf('slow.log', 'slow-log')!.format).toBeUndefined();
});

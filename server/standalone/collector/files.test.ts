import path from 'node:path';
import { collectorFiles } from './files';

describe('the files of the collector', () => {
  it('contain the template of its events next to the command, both in a checkout and installed', () => {
    for (const isInstalled of [false, true])
      expect(collectorFiles('/somewhere', isInstalled).metricsTemplateFile).toBe(
        path.join('/somewhere', 'metrics-template.json'),
      );
  });

  it('use the built binary, or the installed one if the command is installed', () => {
    expect(collectorFiles('/dyno/build', false).collectorFile).toMatch(/^\/dyno\/build\/dynobeat-linux-/);
    expect(collectorFiles('/usr/lib/node_modules/dyno', true).collectorFile).toBe('/usr/bin/dynobeat');
  });
});

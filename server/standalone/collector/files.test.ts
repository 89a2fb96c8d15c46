import path from 'node:path';
import { collectorFiles } from './files';

describe('the files of the collector', () => {
  it('has the template of its events beside the command, from a checkout and installed', () => {
    for (const isInstalled of [false, true])
      expect(collectorFiles('/somewhere', isInstalled).metricsTemplateFile).toBe(
        path.join('/somewhere', 'metrics-template.json'),
      );
  });

  it('takes the binary that was built, or where the command is installed, the installed one', () => {
    expect(collectorFiles('/dyno/build', false).collectorFile).toMatch(/^\/dyno\/build\/dynobeat-linux-/);
    expect(collectorFiles('/usr/lib/node_modules/dyno', true).collectorFile).toBe('/usr/bin/dynobeat');
  });
});

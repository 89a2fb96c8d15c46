/** Registers the app with Kibana and loads it when it is opened. This code runs on every page of Kibana, unlike the app. */
import { registerRuleTypes } from './register-rule-types';
import type { CoreSetup, CoreStart, MountParameters, SetupPlugins, StartPlugins } from './sdk';

/** Path of the app's script in the folder of the plugin's bundles. Set when the plugin is built. */
declare const DYNO_APP: string;

interface AppModule {
  mount(core: CoreStart, params: MountParameters, plugins: StartPlugins): () => void;
}

const load = (): Promise<AppModule> =>
  import(`${window.__kbnPublicPath__['dyno'] ?? ''}${DYNO_APP}`) as Promise<AppModule>;

/** Shows a failure as plain DOM, because the code that would render it could not be loaded. */
function showFailure(element: HTMLElement): () => void {
  const sentence = document.createElement('p');
  sentence.setAttribute('role', 'alert');
  sentence.style.padding = '24px';
  sentence.textContent = 'Dyno could not be loaded. Reload this page.';
  element.append(sentence);
  return () => sentence.remove();
}

/** Pages of Dyno that users of Kibana's search find by their names. */
const PAGES = ['Experiments', 'Runs', 'Compare', 'Targets', 'Collector'].map((title) => ({
  id: title.toLowerCase(),
  title,
  path: `/${title.toLowerCase()}`,
}));

export class DynoPlugin {
  setup(core: CoreSetup, { home, triggersActionsUi }: SetupPlugins = {}): void {
    registerRuleTypes(core, triggersActionsUi);
    home?.featureCatalogue.register({
      id: 'dyno',
      title: 'Dyno',
      description: 'Measure what your cluster can handle: ingestion and query experiments.',
      icon: 'visGauge',
      path: '/app/dyno',
      showOnHomePage: true,
      category: 'admin',
      order: 900,
    });
    core.application.register({
      id: 'dyno',
      title: 'Dyno',
      category: { id: 'management', label: 'Management', order: 5000, euiIconType: 'managementApp' },
      euiIconType: 'visGauge',
      order: 9020,
      deepLinks: PAGES,
      async mount(params) {
        try {
          const [[start, plugins], { mount }] = await Promise.all([core.getStartServices(), load()]);
          return mount(start, params, plugins);
        } catch (error) {
          // oxlint-disable-next-line no-console -- nothing else could report it
          console.error('Dyno could not be loaded', error);
          return showFailure(params.element);
        }
      },
    });
  }

  /** Does nothing. Kibana requires this method. */
  start(): void {
    // Nothing needs to be done before the app is opened.
  }
}

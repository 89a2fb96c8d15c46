/** The addresses of the app, each page loaded when it is first opened. */
import { EuiEmptyPrompt } from '@elastic/eui';
import { Suspense, type ReactNode } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { i18n } from '../i18n';
import { AppLink } from '../ui/link';
import { Page } from '../ui/page';
import { useApp } from './context';
import { lazyPage, PageComes } from './lazy-page';

const Experiments = lazyPage(() => import('../pages/experiments'));
const Account = lazyPage(() => import('../pages/account'));
const Editor = lazyPage(() => import('../pages/editor'));
const ExperimentHistory = lazyPage(() => import('../pages/history'));
const Runs = lazyPage(() => import('../pages/runs'));
const Run = lazyPage(() => import('../pages/run'));
const Result = lazyPage(() => import('../pages/result'));
const Compare = lazyPage(() => import('../pages/compare'));
const Tunings = lazyPage(() => import('../pages/tune'));
const NewTuning = lazyPage(() => import('../pages/tune/new'));
const OneTuning = lazyPage(() => import('../pages/tune/tuning'));
const Targets = lazyPage(() => import('../pages/targets'));
const Target = lazyPage(() => import('../pages/targets/target'));
const Privileges = lazyPage(() => import('../pages/privileges'));
const Collector = lazyPage(() => import('../pages/collector'));
const Docs = lazyPage(() => import('../pages/docs'));
const About = lazyPage(() => import('../pages/about'));
const Dashboards = lazyPage(() => import('../pages/dashboards'));

function NotFound(): ReactNode {
  const title = i18n.translate('dyno.notFound.title', { defaultMessage: 'There is no such page' });
  return (
    <Page title={title}>
      <EuiEmptyPrompt
        iconType="search"
        title={<h2>{title}</h2>}
        body={
          <AppLink to="/experiments">
            {i18n.translate('dyno.notFound.back', { defaultMessage: 'All experiments' })}
          </AppLink>
        }
      />
    </Page>
  );
}

export function AppRoutes(): ReactNode {
  const { dashboards } = useApp().host;
  return (
    <Suspense fallback={<PageComes />}>
      <Routes>
        <Route path="/" element={<Navigate to="/experiments" replace />} />
        <Route path="/experiments" element={<Experiments />} />
        {/* `?preset=NAME&scale=quick` or `?copy=ID` begins with that definition. */}
        <Route path="/experiments/new" element={<Editor />} />
        <Route path="/experiments/:id" element={<Editor />} />
        {/* `?series=METRIC&of=CELL`, `&time=30d` or `FROM/TO` */}
        <Route path="/experiments/:id/history" element={<ExperimentHistory />} />
        <Route path="/accounts/:seed" element={<Account />} />
        <Route path="/runs" element={<Runs />} />
        <Route path="/runs/:id" element={<Run />} />
        <Route path="/runs/:id/result" element={<Result />} />
        {/* `?runs=A,B` */}
        <Route path="/compare" element={<Compare />} />
        <Route path="/tune" element={<Tunings />} />
        <Route path="/tune/new" element={<NewTuning />} />
        <Route path="/tune/:id" element={<OneTuning />} />
        <Route path="/targets" element={<Targets />} />
        <Route path="/targets/:id" element={<Target />} />
        {useApp().host.hasRoles ? <Route path="/privileges" element={<Privileges />} /> : null}
        <Route path="/collector" element={<Collector />} />
        <Route path="/about" element={<About />} />
        <Route path="/docs" element={<Docs />} />
        <Route path="/docs/:name" element={<Docs />} />
        {dashboards ? <Route path="/dashboards" element={<Dashboards />} /> : null}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}

/** Simulates a check of Kibana at its setup: a feature may only grant access to rule types and management pages that it has declared. */
import type { AlertingGrants, FeaturePrivilege, KibanaFeature } from '../../sdk';

const difference = (all: readonly string[], some: readonly string[]): string[] =>
  all.filter((each) => !some.includes(each));

const pagesIn = (management: Record<string, string[]> = {}): string[] =>
  Object.entries(management).flatMap(([section, pages]) => pages.map((page) => `${section}.${page}`));

/** Returns the granted rule types. If a grant names consumers, the text is `TYPE of CONSUMER`, once for each consumer. */
const rulesIn = (grants: AlertingGrants = []): string[] =>
  grants.flatMap((grant) =>
    typeof grant === 'string'
      ? [grant]
      : grant.consumers.map((consumer) => `${grant.ruleTypeId} of ${consumer}`),
  );

const grantsIn = (alerting: FeaturePrivilege['alerting']): string[] =>
  Object.values(alerting ?? {}).flatMap(({ all, read }) => [...rulesIn(all), ...rulesIn(read)]);

/** Throws if `alerting` has a form that this version of Kibana does not accept. */
function checkShape(grants: AlertingGrants, kibanaVersion: string): void {
  const [major = 0, minor = 0] = kibanaVersion.split('.').map(Number);
  const objects = major * 100 + minor >= 818;
  for (const grant of grants) {
    if ((typeof grant === 'object') !== objects)
      throw new Error(
        `[alerting.0]: expected ${objects ? 'a plain object value' : 'value of type [string]'}`,
      );
    if (typeof grant === 'object') {
      if (grant.consumers.length === 0) throw new Error('[consumers]: array size is [0]');
    }
  }
}

const KEYS: Readonly<Record<string, readonly string[]>> = { rule: ['all', 'read'], alert: ['all', 'read'] };

function checkPrivilege(feature: KibanaFeature, { alerting, management }: FeaturePrivilege): void {
  for (const [kind, grants] of Object.entries(alerting ?? {})) {
    const unknown = difference(Object.keys(grants), KEYS[kind] ?? []);
    if (unknown.length > 0)
      throw new Error(`[alerting.${kind}.${unknown[0]}]: definition for this key is missing`);
  }
  const undeclared = [
    ...difference(grantsIn(alerting), rulesIn(feature.alerting)),
    ...difference(pagesIn(management), pagesIn(feature.management)),
  ];
  if (undeclared.length > 0) throw new Error(`the feature does not declare ${undeclared.join(', ')}`);
}

/** Throws for grants that `registerKibanaFeature` of this version refuses. */
export function checkGrants(feature: KibanaFeature, kibanaVersion: string): void {
  const privileges = [feature.privileges.all, feature.privileges.read];
  checkShape(feature.alerting ?? [], kibanaVersion);
  for (const { alerting } of privileges) {
    for (const { all = [], read = [] } of Object.values(alerting ?? {})) {
      checkShape(all, kibanaVersion);
      checkShape(read, kibanaVersion);
    }
  }
  privileges.forEach((privilege) => checkPrivilege(feature, privilege));
  const ungranted = difference(
    [...rulesIn(feature.alerting), ...pagesIn(feature.management)],
    privileges.flatMap(({ alerting, management }) => [...grantsIn(alerting), ...pagesIn(management)]),
  );
  if (ungranted.length > 0) throw new Error(`no privilege grants ${ungranted.join(', ')}`);
}

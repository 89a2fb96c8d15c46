/** Saved objects in the form of Kibana's export. Their format versions are so old that Kibana 8.3 to 9.x can import them. */

export interface Reference {
  type: string;
  id: string;
  /** Name of the reference, unique within its object. */
  name: string;
}

export interface ImportedObject {
  type: 'dashboard' | 'index-pattern';
  id: string;
  attributes: Readonly<Record<string, unknown>>;
  references: readonly Reference[];
  /**
   * Kibana version of the object's format. Newer versions of Kibana migrate the object from this version. The key `typeMigrationVersion` is
   * not used, because 8.3 does not have it.
   */
  coreMigrationVersion: '8.0.0';
  migrationVersion: Readonly<Record<string, string>>;
}

/** Kibana version of the format of dashboards and their panels. */
export const DASHBOARD_VERSION = '8.3.0';
const DATA_VIEW_VERSION = '7.11.0';

type Content = Pick<ImportedObject, 'id' | 'attributes' | 'references'>;

export const dashboardObject = (content: Content): ImportedObject => ({
  type: 'dashboard',
  ...content,
  coreMigrationVersion: '8.0.0',
  migrationVersion: { dashboard: DASHBOARD_VERSION },
});

export const dataViewObject = (content: Content): ImportedObject => ({
  type: 'index-pattern',
  ...content,
  coreMigrationVersion: '8.0.0',
  migrationVersion: { 'index-pattern': DATA_VIEW_VERSION },
});

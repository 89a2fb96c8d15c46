import { mavenArtifactUrl } from './maven-artifact';

const ARTIFACT = {
  groupId: 'org.example.group',
  artifactId: 'thing',
  version: '1.2',
  extension: 'zip',
  sha512: '',
};

describe('the address of an artifact', () => {
  it('lies in the mirror that DYNO_MAVEN_REPOSITORY names, with or without a slash', () => {
    for (const DYNO_MAVEN_REPOSITORY of ['http://mirror.example/maven', 'http://mirror.example/maven/']) {
      expect(mavenArtifactUrl(ARTIFACT, { DYNO_MAVEN_REPOSITORY })).toBe(
        'http://mirror.example/maven/org/example/group/thing/1.2/thing-1.2.zip',
      );
    }
  });

  it('lies in Maven Central where none is named', () => {
    for (const environment of [{}, { DYNO_MAVEN_REPOSITORY: '' }]) {
      expect(mavenArtifactUrl(ARTIFACT, environment)).toBe(
        'https://repo1.maven.org/maven2/org/example/group/thing/1.2/thing-1.2.zip',
      );
    }
  });
});

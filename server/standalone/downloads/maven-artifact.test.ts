import { mavenArtifactUrl } from './maven-artifact';

const ARTIFACT = {
  groupId: 'org.example.group',
  artifactId: 'thing',
  version: '1.2',
  extension: 'zip',
  sha512: '',
};

describe('the address of an artifact', () => {
  it('lies in the mirror that DYNO_MAVEN_REPOSITORY names, with or without a slash', async () => {
    for (const DYNO_MAVEN_REPOSITORY of ['http://mirror.example/maven', 'http://mirror.example/maven/']) {
      await expect(mavenArtifactUrl(ARTIFACT, { DYNO_MAVEN_REPOSITORY })).resolves.toBe(
        'http://mirror.example/maven/org/example/group/thing/1.2/thing-1.2.zip',
      );
    }
  });

  it('has a default', async () => {
    await expect(mavenArtifactUrl(ARTIFACT, {})).resolves.toMatch(/^https:.*\/thing-1\.2\.zip$/);
  });
});

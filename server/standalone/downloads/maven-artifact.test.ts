import { mavenArtifactUrl, publishedArtifact } from './maven-artifact';

const ARTIFACT = {
  groupId: 'org.example.group',
  artifactId: 'thing',
  version: '1.2',
  extension: 'zip',
  sha512: '',
};

describe('the address of an artifact', () => {
  it('is in the mirror of DYNO_MAVEN_REPOSITORY, with or without a trailing slash', () => {
    for (const DYNO_MAVEN_REPOSITORY of ['http://mirror.example/maven', 'http://mirror.example/maven/']) {
      expect(mavenArtifactUrl(ARTIFACT, { DYNO_MAVEN_REPOSITORY })).toBe(
        'http://mirror.example/maven/org/example/group/thing/1.2/thing-1.2.zip',
      );
    }
  });

  it('is in Maven Central by default', () => {
    for (const environment of [{}, { DYNO_MAVEN_REPOSITORY: '' }]) {
      expect(mavenArtifactUrl(ARTIFACT, environment)).toBe(
        'https://repo1.maven.org/maven2/org/example/group/thing/1.2/thing-1.2.zip',
      );
    }
  });
});

describe('the checksum of an artifact', () => {
  const sum = (digit: string): string => digit.repeat(128);
  /** Fake servers with these responses. */
  const lookUp = (responses: Record<string, string>, DYNO_MAVEN_REPOSITORY = '') =>
    publishedArtifact(ARTIFACT, {
      environment: { DYNO_MAVEN_REPOSITORY },
      fetch: (url) => {
        const found = responses[new URL(url).host];
        return found === 'away' ? Promise.reject(new Error('away')) : Promise.resolve(found);
      },
    });

  it('comes from another server than the file', async () => {
    const responses = { 'mirror.example': sum('a'), 'repo1.maven.org': sum('b') };
    await expect(lookUp(responses, 'http://mirror.example/maven')).resolves.toMatchObject({
      sha512: sum('b'),
      isIndependent: true,
      checksum: expect.stringMatching(/^https:\/\/repo1/) as string,
    });
    const copied = { 'repo1.maven.org': sum('a'), 'maven-central.storage.googleapis.com': sum('c') };
    await expect(lookUp(copied)).resolves.toMatchObject({ sha512: sum('c'), isIndependent: true });
  });

  it('comes from the server of the file if no other server has it, and is marked as not independent', async () => {
    const responses = {
      'repo1.maven.org': sum('a'),
      'maven-central.storage.googleapis.com': 'away',
    };
    await expect(lookUp(responses)).resolves.toMatchObject({ sha512: sum('a'), isIndependent: false });
    await expect(lookUp({})).resolves.toBeUndefined();
  });
});

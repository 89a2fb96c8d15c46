/**
 * Java source code of stub classes for modules that are not published. ES|QL links to classes of the machine-learning module for
 * CHANGE_POINT and CATEGORIZE. If these classes are missing, the JVM throws an error that ends the node. With the stubs, only the query
 * fails.
 */

/** Returns the source text of a class from its package, its imports, and its body. */
const source = (name: string, imports: readonly string[], body: string): string =>
  [
    `package ${name.slice(0, name.lastIndexOf('.'))};`,
    ...imports.map((each) => `import ${each};`),
    body.trim(),
    '',
  ].join('\n');

const ML = 'org.elasticsearch.xpack.ml';
const FAILS = `${ML}.MachineLearning.missing`;

const classes: readonly [name: string, imports: readonly string[], body: string][] = [
  [
    `${ML}.MachineLearning`,
    [
      'org.elasticsearch.ElasticsearchStatusException',
      'org.elasticsearch.license.License',
      'org.elasticsearch.license.LicensedFeature',
      'org.elasticsearch.rest.RestStatus',
    ],
    `
public final class MachineLearning {
    public static final LicensedFeature.Momentary CATEGORIZE_TEXT_AGG_FEATURE = feature("categorize-text-agg");
    public static final LicensedFeature.Momentary CHANGE_POINT_AGG_FEATURE = feature("change-point-agg");

    private static LicensedFeature.Momentary feature(String name) {
        return LicensedFeature.momentary("machine-learning", name, License.OperationMode.PLATINUM);
    }

    public static String text(String command) {
        return command + " needs the module x-pack-ml, which this reduced distribution lacks";
    }

    public static ElasticsearchStatusException missing(String command) {
        return new ElasticsearchStatusException(text(command), RestStatus.NOT_IMPLEMENTED);
    }
}`,
  ],
  [
    `${ML}.aggs.MlAggsHelper`,
    [],
    `
public final class MlAggsHelper {
    public static final class DoubleBucketValues {
        public DoubleBucketValues(long[] counts, double[] values, int[] buckets) {}
    }
}`,
  ],
  [
    `${ML}.aggs.changepoint.ChangePointDetector`,
    [`${ML}.aggs.MlAggsHelper`],
    `
public final class ChangePointDetector {
    public static ChangeType getChangeType(MlAggsHelper.DoubleBucketValues values) {
        throw ${FAILS}("CHANGE_POINT");
    }
}`,
  ],
  [
    `${ML}.aggs.changepoint.ChangeType`,
    [],
    `
public interface ChangeType {
    int changePoint();

    double pValue();

    String getWriteableName();

    abstract class Indeterminable implements ChangeType {
        public abstract String getReason();
    }
}`,
  ],
  [
    `${ML}.aggs.categorization.CategorizationBytesRefHash`,
    ['org.elasticsearch.common.util.BytesRefHash', 'org.elasticsearch.core.Releasable'],
    `
public final class CategorizationBytesRefHash implements Releasable {
    private final BytesRefHash hash;

    public CategorizationBytesRefHash(BytesRefHash hash) {
        this.hash = hash;
    }

    @Override
    public void close() {
        hash.close();
    }
}`,
  ],
  [
    `${ML}.aggs.categorization.CategorizationPartOfSpeechDictionary`,
    [],
    `
public final class CategorizationPartOfSpeechDictionary {
    public static CategorizationPartOfSpeechDictionary getInstance() {
        return new CategorizationPartOfSpeechDictionary();
    }
}`,
  ],
  [
    `${ML}.aggs.categorization.SerializableTokenListCategory`,
    [
      'org.elasticsearch.common.io.stream.StreamInput',
      'org.elasticsearch.common.io.stream.StreamOutput',
      'org.elasticsearch.common.io.stream.Writeable',
    ],
    `
public final class SerializableTokenListCategory implements Writeable {
    public SerializableTokenListCategory(StreamInput in) {
        throw ${FAILS}("CATEGORIZE");
    }

    public String getRegex() {
        throw ${FAILS}("CATEGORIZE");
    }

    @Override
    public void writeTo(StreamOutput out) {
        throw ${FAILS}("CATEGORIZE");
    }
}`,
  ],
  [
    `${ML}.aggs.categorization.TokenListCategory`,
    [],
    `
public final class TokenListCategory {
    public int getId() {
        throw ${FAILS}("CATEGORIZE");
    }
}`,
  ],
  [
    `${ML}.aggs.categorization.TokenListCategorizer`,
    [
      'java.util.List',
      'org.elasticsearch.core.Releasable',
      `${ML}.job.categorization.CategorizationAnalyzer`,
    ],
    `
public class TokenListCategorizer {
    public static final class CloseableTokenListCategorizer extends TokenListCategorizer implements Releasable {
        private final CategorizationBytesRefHash hash;

        public CloseableTokenListCategorizer(
            CategorizationBytesRefHash hash,
            CategorizationPartOfSpeechDictionary dictionary,
            float threshold
        ) {
            this.hash = hash;
        }

        public TokenListCategory computeCategory(String text, CategorizationAnalyzer analyzer) {
            throw ${FAILS}("CATEGORIZE");
        }

        public TokenListCategory mergeWireCategory(SerializableTokenListCategory category) {
            throw ${FAILS}("CATEGORIZE");
        }

        public int getCategoryCount() {
            return 0;
        }

        public List<SerializableTokenListCategory> toCategoriesById() {
            return List.of();
        }

        @Override
        public void close() {
            hash.close();
        }
    }
}`,
  ],
  [
    `${ML}.job.categorization.CategorizationAnalyzer`,
    [
      'java.io.IOException',
      'org.elasticsearch.core.Releasable',
      'org.elasticsearch.index.analysis.AnalysisRegistry',
      'org.elasticsearch.xpack.core.ml.job.config.CategorizationAnalyzerConfig',
    ],
    `
public final class CategorizationAnalyzer implements Releasable {
    /** After an IOException, ES|QL closes what it has allocated. */
    public CategorizationAnalyzer(AnalysisRegistry registry, CategorizationAnalyzerConfig config) throws IOException {
        throw new IOException(${ML}.MachineLearning.text("CATEGORIZE"));
    }

    @Override
    public void close() {}
}`,
  ],
];

/** Stubs for the classes of the machine-learning module to which ES|QL 8.19 refers, by class name. */
export const MACHINE_LEARNING_8_19: Readonly<Record<string, string>> = Object.fromEntries(
  classes.map(([name, imports, body]) => [name, source(name, imports, body)]),
);

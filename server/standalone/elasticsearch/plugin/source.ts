/**
 * Source code of a plugin that adds two features to the reduced distribution. The first is the response to `GET /`, which clients request
 * first. The second is the analysis components that the security index needs for users, roles and API keys. Dyno compiles the plugin when
 * it unpacks the distribution. The source code is a string. Therefore, Dyno's build contains it.
 */

export const PLUGIN_NAME = 'dyno-main';
export const PLUGIN_CLASS = 'MainPlugin';
export const PLUGIN_PACKAGE = 'dyno.main';

/** Parameters of the Java method `getRestHandlers`: one entry for current releases and one for older releases (8.19). */
const HANDED_OVER = [
  `RestHandlersServices services,
        Supplier<DiscoveryNodes> nodesInCluster,
        Predicate<NodeFeature> clusterSupportsFeature`,
  `org.elasticsearch.common.settings.Settings settings,
        org.elasticsearch.common.io.stream.NamedWriteableRegistry namedWriteableRegistry,
        org.elasticsearch.rest.RestController restController,
        org.elasticsearch.common.settings.ClusterSettings clusterSettings,
        org.elasticsearch.common.settings.IndexScopedSettings indexScopedSettings,
        org.elasticsearch.common.settings.SettingsFilter settingsFilter,
        org.elasticsearch.cluster.metadata.IndexNameExpressionResolver indexNameExpressionResolver,
        Supplier<DiscoveryNodes> nodesInCluster,
        Predicate<NodeFeature> clusterSupportsFeature`,
] as const;

const source = (handedOver: string): string =>
  `
package ${PLUGIN_PACKAGE};

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.IndexVersion;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xcontent.XContentBuilder;

/**
 * Answers GET / and HEAD / as a stock node does, before and after a master is known, and registers the components of the
 * module analysis-common that the security index uses.
 */
public class ${PLUGIN_CLASS} extends Plugin implements ActionPlugin, AnalysisPlugin {
    private ClusterService clusterService;

    @Override
    public Collection<?> createComponents(PluginServices services) {
        clusterService = services.clusterService();
        return List.of();
    }

    @Override
    public Collection<RestHandler> getRestHandlers(
        ${handedOver}
    ) {
        return List.of(new MainHandler());
    }

    @Override
    public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
        return Map.of(
            "uax_url_email",
            (index, environment, name, settings) -> TokenizerFactory.newFactory(name, () -> {
                var tokenizer = new UAX29URLEmailTokenizer();
                tokenizer.setMaxTokenLength(settings.getAsInt("max_token_length", 255));
                return tokenizer;
            })
        );
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
            "pattern_capture",
            AnalysisPlugin.requiresAnalysisSettings((index, environment, name, settings) -> {
                boolean preserveOriginal = settings.getAsBoolean("preserve_original", true);
                Pattern[] patterns = settings.getAsList("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
                return filter(name, input -> new PatternCaptureGroupTokenFilter(input, preserveOriginal, patterns));
            }),
            "unique",
            (index, environment, name, settings) -> filter(name, UniqueTokens::new)
        );
    }

    private static TokenFilterFactory filter(String name, UnaryOperator<TokenStream> create) {
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream input) {
                return create.apply(input);
            }
        };
    }

    /** Drops each token that the stream has had before. */
    private static final class UniqueTokens extends FilteringTokenFilter {
        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final CharArraySet seen = new CharArraySet(8, false);

        UniqueTokens(TokenStream input) {
            super(input);
        }

        @Override
        protected boolean accept() {
            // The set keeps the array that it is given, and the attribute reuses its own.
            return seen.add(term.toString());
        }

        @Override
        public void reset() throws java.io.IOException {
            super.reset();
            seen.clear();
        }
    }

    private class MainHandler extends BaseRestHandler {
        @Override
        public String getName() {
            return "main_action";
        }

        @Override
        public List<Route> routes() {
            return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
        }

        @Override
        protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
            // As a stock node: pretty unless told otherwise.
            boolean pretty = request.paramAsBoolean("pretty", true);
            return channel -> {
                XContentBuilder builder = channel.newBuilder();
                if (pretty) {
                    builder.prettyPrint().lfAtEnd();
                }
                channel.sendResponse(new RestResponse(RestStatus.OK, answer(builder)));
            };
        }

        private XContentBuilder answer(XContentBuilder builder) throws java.io.IOException {
            var state = clusterService.state();
            var build = Build.current();
            builder.startObject();
            builder.field("name", clusterService.getNodeName());
            builder.field("cluster_name", state.getClusterName().value());
            builder.field("cluster_uuid", state.metadata().clusterUUID());
            builder.startObject("version");
            builder.field("number", build.qualifiedVersion());
            builder.field("build_flavor", build.flavor());
            builder.field("build_type", build.type().displayName());
            builder.field("build_hash", build.hash());
            builder.field("build_date", build.date());
            builder.field("build_snapshot", build.isSnapshot());
            builder.field("lucene_version", IndexVersion.current().luceneVersion().toString());
            builder.field("minimum_wire_compatibility_version", build.minWireCompatVersion());
            builder.field("minimum_index_compatibility_version", build.minIndexCompatVersion());
            builder.endObject();
            builder.field("tagline", "You Know, for Search");
            return builder.endObject();
        }
    }
}
`.trimStart();

/**
 * Variants of the source code for different releases of Elasticsearch. The first variant that compiles against a release is used. For every
 * release from 8.19 on, one of them compiles.
 */
export const PLUGIN_SOURCES: readonly string[] = HANDED_OVER.map(source);

/** Returns `plugin-descriptor.properties` for one version of Elasticsearch. */
export const pluginDescriptor = (elasticsearchVersion: string): string =>
  [
    `name=${PLUGIN_NAME}`,
    'description=Answers GET / as a stock node does, and lets security store users, roles and API keys',
    'version=1',
    `elasticsearch.version=${elasticsearchVersion}`,
    'java.version=21',
    `classname=${PLUGIN_PACKAGE}.${PLUGIN_CLASS}`,
    '',
  ].join('\n');

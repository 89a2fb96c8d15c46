/**
 * The one thing that the distribution lacks of a stock node: an answer to `GET /`, which clients ask first. The
 * plugin is compiled against the distribution at set-up; its source is a string so that it travels inside the bundle.
 */

export const PLUGIN_NAME = 'dyno-main';
export const PLUGIN_CLASS = 'MainPlugin';
export const PLUGIN_PACKAGE = 'dyno.main';

/** What a server hands to a plugin that answers requests: as of now, and as older releases (8.19) did. */
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.IndexVersion;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xcontent.XContentBuilder;

/** Answers GET / and HEAD / as a stock node does, before and after a master is known. */
public class ${PLUGIN_CLASS} extends Plugin implements ActionPlugin {
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

/** One of them compiles against any release from 8.19 on: the first that does is right. */
export const PLUGIN_SOURCES: readonly string[] = HANDED_OVER.map(source);

/** `plugin-descriptor.properties` for one version of Elasticsearch. */
export const pluginDescriptor = (elasticsearchVersion: string): string =>
  [
    `name=${PLUGIN_NAME}`,
    'description=Answers GET / as a stock node does',
    'version=1',
    `elasticsearch.version=${elasticsearchVersion}`,
    'java.version=21',
    `classname=${PLUGIN_PACKAGE}.${PLUGIN_CLASS}`,
    '',
  ].join('\n');

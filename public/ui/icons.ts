/**
 * The icons that Dyno uses, included in its first bundle. By default, EUI fetches each icon when it is first shown. If the server is
 * unreachable at that moment, EUI shows no icon and throws an error that nothing catches. For example, the message that the server is
 * unreachable would have no icon.
 */
import { appendIconComponentCache } from '@elastic/eui/es/components/icon/icon';
import { icon as dashboardApp } from '@elastic/eui/es/components/icon/assets/app_dashboard';
import { icon as agentApp } from '@elastic/eui/es/components/icon/assets/app_fleet';
import { icon as bell } from '@elastic/eui/es/components/icon/assets/bell';
import { icon as bolt } from '@elastic/eui/es/components/icon/assets/bolt';
import { icon as boxesVertical } from '@elastic/eui/es/components/icon/assets/boxes_vertical';
import { icon as broom } from '@elastic/eui/es/components/icon/assets/broom';
import { icon as calendar } from '@elastic/eui/es/components/icon/assets/calendar';
import { icon as chartBarHorizontal } from '@elastic/eui/es/components/icon/assets/chart_bar_horizontal';
import { icon as visGauge } from '@elastic/eui/es/components/icon/assets/chart_gauge';
import { icon as chartLine } from '@elastic/eui/es/components/icon/assets/chart_line';
import { icon as check } from '@elastic/eui/es/components/icon/assets/check';
import { icon as checkCircle } from '@elastic/eui/es/components/icon/assets/check_circle';
import { icon as chevronLimitLeft } from '@elastic/eui/es/components/icon/assets/chevron_limit_left';
import { icon as chevronLimitRight } from '@elastic/eui/es/components/icon/assets/chevron_limit_right';
import { icon as chevronSingleDown } from '@elastic/eui/es/components/icon/assets/chevron_single_down';
import { icon as chevronSingleLeft } from '@elastic/eui/es/components/icon/assets/chevron_single_left';
import { icon as chevronSingleRight } from '@elastic/eui/es/components/icon/assets/chevron_single_right';
import { icon as chevronSingleUp } from '@elastic/eui/es/components/icon/assets/chevron_single_up';
import { icon as clock } from '@elastic/eui/es/components/icon/assets/clock';
import { icon as clockCounter } from '@elastic/eui/es/components/icon/assets/clock_counter';
import { icon as cluster } from '@elastic/eui/es/components/icon/assets/cluster';
import { icon as code } from '@elastic/eui/es/components/icon/assets/code';
import { icon as compare } from '@elastic/eui/es/components/icon/assets/compare';
import { icon as controls } from '@elastic/eui/es/components/icon/assets/controls';
import { icon as copy } from '@elastic/eui/es/components/icon/assets/copy';
import { icon as cross } from '@elastic/eui/es/components/icon/assets/cross';
import { icon as crossCircle } from '@elastic/eui/es/components/icon/assets/cross_circle';
import { icon as document } from '@elastic/eui/es/components/icon/assets/document';
import { icon as documents } from '@elastic/eui/es/components/icon/assets/documents';
import { icon as dot } from '@elastic/eui/es/components/icon/assets/dot';
import { icon as download } from '@elastic/eui/es/components/icon/assets/download';
import { icon as ellipsis } from '@elastic/eui/es/components/icon/assets/ellipsis';
import { icon as empty } from '@elastic/eui/es/components/icon/assets/empty';
import { icon as error } from '@elastic/eui/es/components/icon/assets/error';
import { icon as external } from '@elastic/eui/es/components/icon/assets/external';
import { icon as eye } from '@elastic/eui/es/components/icon/assets/eye';
import { icon as eyeSlash } from '@elastic/eui/es/components/icon/assets/eye_slash';
import { icon as flag } from '@elastic/eui/es/components/icon/assets/flag';
import { icon as flask } from '@elastic/eui/es/components/icon/assets/flask';
import { icon as fullScreen } from '@elastic/eui/es/components/icon/assets/full_screen';
import { icon as fullScreenExit } from '@elastic/eui/es/components/icon/assets/full_screen_exit';
import { icon as gear } from '@elastic/eui/es/components/icon/assets/gear';
import { icon as globe } from '@elastic/eui/es/components/icon/assets/globe';
import { icon as hourglass } from '@elastic/eui/es/components/icon/assets/hourglass';
import { icon as image } from '@elastic/eui/es/components/icon/assets/image';
import { icon as info } from '@elastic/eui/es/components/icon/assets/info';
import { icon as link } from '@elastic/eui/es/components/icon/assets/link';
import { icon as lock } from '@elastic/eui/es/components/icon/assets/lock';
import { icon as magnify } from '@elastic/eui/es/components/icon/assets/magnify';
import { icon as magnifyMinus } from '@elastic/eui/es/components/icon/assets/magnify_minus';
import { icon as maximize } from '@elastic/eui/es/components/icon/assets/maximize';
import { icon as memory } from '@elastic/eui/es/components/icon/assets/memory';
import { icon as minus } from '@elastic/eui/es/components/icon/assets/minus';
import { icon as minusCircle } from '@elastic/eui/es/components/icon/assets/minus_circle';
import { icon as moon } from '@elastic/eui/es/components/icon/assets/moon';
import { icon as pause } from '@elastic/eui/es/components/icon/assets/pause';
import { icon as pencil } from '@elastic/eui/es/components/icon/assets/pencil';
import { icon as play } from '@elastic/eui/es/components/icon/assets/play';
import { icon as plugs } from '@elastic/eui/es/components/icon/assets/plugs';
import { icon as plus } from '@elastic/eui/es/components/icon/assets/plus';
import { icon as plusCircle } from '@elastic/eui/es/components/icon/assets/plus_circle';
import { icon as question } from '@elastic/eui/es/components/icon/assets/question';
import { icon as redo } from '@elastic/eui/es/components/icon/assets/redo';
import { icon as refresh } from '@elastic/eui/es/components/icon/assets/refresh';
import { icon as returnKey } from '@elastic/eui/es/components/icon/assets/return';
import { icon as save } from '@elastic/eui/es/components/icon/assets/save';
import { icon as sortDown } from '@elastic/eui/es/components/icon/assets/sort_down';
import { icon as sortUp } from '@elastic/eui/es/components/icon/assets/sort_up';
import { icon as sortable } from '@elastic/eui/es/components/icon/assets/sortable';
import { icon as stop } from '@elastic/eui/es/components/icon/assets/stop';
import { icon as sun } from '@elastic/eui/es/components/icon/assets/sun';
import { icon as table } from '@elastic/eui/es/components/icon/assets/table';
import { icon as trash } from '@elastic/eui/es/components/icon/assets/trash';
import { icon as undo } from '@elastic/eui/es/components/icon/assets/undo';
import { icon as upload } from '@elastic/eui/es/components/icon/assets/upload';
import { icon as user } from '@elastic/eui/es/components/icon/assets/user';
import { icon as warning } from '@elastic/eui/es/components/icon/assets/warning';
import { icon as warningFill } from '@elastic/eui/es/components/icon/assets/warning_fill';

const OWN = {
  agentApp,
  bell,
  bolt,
  boxesVertical,
  broom,
  calendar,
  chartBarHorizontal,
  chartLine,
  check,
  checkCircle,
  chevronSingleDown,
  chevronSingleRight,
  clock,
  clockCounter,
  cluster,
  code,
  compare,
  controls,
  copy,
  cross,
  crossCircle,
  dashboardApp,
  document,
  documents,
  dot,
  download,
  error,
  flag,
  flask,
  gear,
  globe,
  hourglass,
  image,
  info,
  link,
  lock,
  magnify,
  magnifyMinus,
  maximize,
  memory,
  minus,
  minusCircle,
  moon,
  pause,
  pencil,
  play,
  plugs,
  plus,
  plusCircle,
  question,
  redo,
  refresh,
  save,
  search: magnify,
  sortDown,
  sortUp,
  stop,
  sun,
  table,
  trash,
  undo,
  upload,
  visGauge,
  visLine: chartLine,
  warning,
  warningFill,
};

/** Icons that EUI's components show themselves. Only those of components that Dyno uses are included. */
const OF_COMPONENTS = {
  chevronLimitLeft,
  chevronLimitRight,
  chevronSingleLeft,
  chevronSingleUp,
  ellipsis,
  empty,
  external,
  eye,
  eyeSlash,
  fullScreen,
  fullScreenExit,
  return: returnKey,
  sortable,
  user,
};

/** Registers the icons. Must run before anything is drawn. */
export const bringIcons = (): void => appendIconComponentCache({ ...OWN, ...OF_COMPONENTS });

/** What the account printed of its trials, each once; where two of its tables differ, a preset's note says so. */
import type { Seven } from './columns';

/** Of the test of ingestion and queries together. */
export interface MixedTrial {
  /** Mean response times, ms. */
  ingestion: number;
  times: Seven;
  /** Null where the account gives none. */
  bulks: number | null;
  counts: Seven | null;
}

/** Of the test of queries alone, over 90 minutes. */
export interface QueryTrial {
  times: Seven;
  counts: Seven | null;
}

/** Over 24 hours, on 6 nodes: with one replica and doc values, and what was changed of that. */
export const MIXED = {
  D4: {
    ingestion: 978,
    times: [103, 134, 199, 137, 139, 510, 89],
    bulks: 264_769,
    counts: null,
  },
  DS3: {
    ingestion: 3328,
    times: [268, 340, 404, 323, 338, 468, 294],
    bulks: 207_284,
    counts: [18_444, 18_444, 18_445, 18_439, 18_437, 18_442, 18_428],
  },
  DS4: {
    ingestion: 511,
    times: [187, 411, 402, 307, 320, 841, 236],
    bulks: 503_157,
    counts: [6958, 6958, 6958, 6958, 6956, 6955, 6958],
  },
  DS14: {
    ingestion: 511,
    times: [201, 298, 363, 244, 283, 681, 200],
    bulks: 502_714,
    counts: [7041, 7040, 7039, 7038, 7037, 7037, 7038],
  },
} satisfies Record<string, MixedTrial>;

export const MIXED_2_REPLICAS = {
  DS4: { ingestion: 655, times: [168, 309, 562, 366, 378, 987, 236], bulks: null, counts: null },
  DS14: { ingestion: 618, times: [275, 466, 529, 407, 403, 823, 221], bulks: null, counts: null },
} satisfies Record<string, MixedTrial>;

export const MIXED_NO_DOC_VALUES = {
  D4: { ingestion: 835, times: [132, 189, 259, 184, 197, 604, 134], bulks: 408_690, counts: null },
  DS4: { ingestion: 581, times: [190, 409, 414, 284, 313, 955, 281], bulks: 578_237, counts: null },
  DS14: { ingestion: 571, times: [232, 341, 457, 338, 350, 909, 245], bulks: 586_472, counts: null },
} satisfies Record<string, MixedTrial>;

/** The first 90 minutes. */
export const MIXED_CACHE_OFF = {
  DS4: {
    ingestion: 504,
    times: [218, 450, 447, 342, 370, 760, 258],
    bulks: 38_611,
    counts: [524, 523, 522, 521, 521, 521, 521],
  },
  DS14: {
    ingestion: 503,
    times: [234, 357, 416, 272, 330, 674, 227],
    bulks: 38_769,
    counts: [528, 528, 528, 527, 524, 524, 527],
  },
} satisfies Record<string, MixedTrial>;

export const MIXED_CACHE_ON = {
  DS4: {
    ingestion: 3260,
    times: [273, 314, 397, 317, 324, 355, 291],
    bulks: 13_232,
    counts: [18_704, 18_703, 18_702, 18_706, 18_700, 18_699, 18_701],
  },
  DS14: {
    ingestion: 3365,
    times: [262, 298, 383, 324, 321, 352, 292],
    bulks: 12_835,
    counts: [19_239, 19_239, 19_238, 19_240, 19_234, 19_234, 19_236],
  },
} satisfies Record<string, MixedTrial>;

/** On 6 nodes with one replica, doc values and no cache. */
export const QUERY_ONLY = {
  DS3: {
    times: [11_758, 14_699, 14_075, 11_856, 12_314, 19_898, 8882],
    counts: [464, 464, 463, 464, 462, 461, 462],
  },
  DS4: {
    times: [4489, 7292, 7564, 5066, 5231, 9228, 2180],
    counts: [1054, 1054, 1053, 1055, 1051, 1051, 1051],
  },
  DS14: {
    times: [1927, 4483, 4761, 2117, 2393, 7159, 642],
    counts: [1842, 1839, 1838, 1842, 1837, 1837, 1837],
  },
} satisfies Record<string, QueryTrial>;

/** The trial of DS4 machines as its table of machines has it: two of its counts differ from all other tables. */
export const QUERY_ONLY_DS4_BY_MACHINE = {
  times: QUERY_ONLY.DS4.times,
  counts: [1045, 1045, 1053, 1055, 1051, 1051, 1051],
} satisfies QueryTrial;

/** DS14 machines; 6 of them are {@link QUERY_ONLY}'s. */
export const QUERY_ONLY_1_NODE = {
  times: [6216, 28_933, 29_455, 9058, 19_916, 54_203, 3333],
  counts: [288, 288, 288, 288, 287, 284, 287],
} satisfies QueryTrial;
export const QUERY_ONLY_3_NODES = {
  times: [3427, 5381, 6840, 3819, 2938, 12_516, 1272],
  counts: [1194, 1194, 1191, 1196, 1190, 1189, 1191],
} satisfies QueryTrial;

export const QUERY_ONLY_2_REPLICAS = {
  DS4: {
    times: [4079, 6697, 7173, 4650, 4691, 8752, 1909],
    counts: [1141, 1139, 1138, 1141, 1136, 1135, 1136],
  },
  DS14: {
    times: [2330, 4381, 5341, 2560, 2546, 7048, 708],
    counts: [1718, 1716, 1714, 1718, 1712, 1712, 1712],
  },
} satisfies Record<string, QueryTrial>;

/** As its table of doc values has them; the two columns of DS14's counts are very likely swapped there. */
export const QUERY_ONLY_DOC_VALUES = {
  DS4: { times: [4489, 7293, 7564, 5066, 5231, 9228, 2180], counts: QUERY_ONLY.DS4.counts },
  DS14: { times: QUERY_ONLY.DS14.times, counts: [1772, 1772, 1770, 1773, 1769, 1768, 1769] },
} satisfies Record<string, QueryTrial>;
export const QUERY_ONLY_NO_DOC_VALUES = {
  DS4: {
    times: [3736, 5459, 5930, 3874, 4483, 9474, 1218],
    counts: [845, 844, 842, 846, 839, 839, 839],
  },
  DS14: {
    times: [2144, 4337, 4840, 2302, 2497, 7639, 633],
    counts: [1842, 1839, 1838, 1842, 1837, 1837, 1837],
  },
} satisfies Record<string, QueryTrial>;

/** How often the queries were answered from the cache is not printed. */
export const QUERY_ONLY_CACHE_ON = {
  DS4: { times: [210, 211, 231, 211, 211, 218, 210], counts: null },
  DS14: { times: [211, 219, 236, 212, 212, 220, 211], counts: null },
} satisfies Record<string, QueryTrial>;

/** Primary shards on 6 DS14 machines; shards on each node, replicas included; queries; the mean of a transaction, ms. */
export type ShardsRow = [shards: number, layout: string, queries: number, response: number];
export const QUERY_ONLY_SHARDS: ShardsRow[] = [
  [7, '3-2-2-2-2-3', 7461, 40_524],
  [13, '5-4-5-4-4-4', 7369, 41_055],
  [23, '7-8-8-7-8-8', 14_193, 21_283],
  [37, '13-12-12-13-12-12', 13_399, 22_506],
  [61, '20-21-20-20-21-20', 14_743, 20_445],
];

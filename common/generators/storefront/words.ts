/** The words of which `storefront` makes the names of products and the search terms. */
import { createRandom, type Random } from '../../random';
import { weightedDraw, type Draw } from '../template';

const BRANDS = 200;
const RARE_WORDS = 2500;

/** Departments of a store and their products. */
const DEPARTMENTS: Readonly<Record<string, readonly string[]>> = {
  'auto-parts': ['alternator', 'bumper', 'radiator', 'muffler', 'clutch', 'gasket', 'headlight', 'axle'],
  tools: ['wrench', 'drill', 'hammer', 'saw', 'sander', 'chisel', 'plier', 'ladder'],
  clothing: ['shirt', 'jacket', 'sweater', 'trousers', 'skirt', 'scarf', 'coat', 'vest'],
  shoes: ['sneaker', 'boot', 'sandal', 'loafer', 'slipper', 'heel', 'clog', 'trainer'],
  kitchen: ['kettle', 'toaster', 'skillet', 'blender', 'knife', 'grater', 'mug', 'colander'],
  furniture: ['chair', 'table', 'sofa', 'shelf', 'wardrobe', 'desk', 'stool', 'bench'],
  electronics: ['phone', 'tablet', 'speaker', 'charger', 'camera', 'monitor', 'keyboard', 'headset'],
  garden: ['mower', 'rake', 'spade', 'hose', 'planter', 'trimmer', 'sprinkler', 'trowel'],
  sports: ['racket', 'helmet', 'kayak', 'tent', 'dumbbell', 'snowboard', 'glove', 'backpack'],
  toys: ['puzzle', 'doll', 'kite', 'robot', 'train', 'blocks', 'scooter', 'plush'],
  beauty: ['lotion', 'perfume', 'shampoo', 'lipstick', 'serum', 'soap', 'brush', 'mascara'],
  pets: ['leash', 'collar', 'aquarium', 'litter', 'feeder', 'crate', 'harness', 'treat'],
};

export const ADJECTIVES = [
  'classic', 'compact', 'heavy', 'light', 'steel', 'wooden', 'leather', 'cotton', 'premium', 'basic',
  'vintage', 'modern', 'portable', 'folding', 'waterproof', 'insulated', 'wireless', 'electric', 'manual', 'deluxe',
  'small', 'large', 'slim', 'wide', 'soft', 'rugged', 'silent', 'bright', 'matte', 'polished',
  'organic', 'recycled', 'outdoor', 'indoor', 'travel', 'family', 'junior', 'senior', 'professional', 'universal',
]; // oxfmt-ignore

/** Options of a product, such as its color, and their values. */
export const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  Color: ['Red', 'Blue', 'Green', 'Black', 'White', 'Grey', 'Yellow', 'Orange', 'Brown', 'Purple', 'Pink', 'Silver'],
  Size: ['XS', 'S', 'M', 'L', 'XL', 'XXL', '36', '38', '40', '42', '44'],
  Material: ['Steel', 'Aluminium', 'Oak', 'Pine', 'Leather', 'Cotton', 'Wool', 'Nylon', 'Plastic', 'Glass'],
  Style: ['Plain', 'Striped', 'Printed', 'Checked', 'Retro', 'Modern'],
  Condition: ['New', 'Used', 'Refurbished'],
  Warranty: ['None', '1 year', '2 years', '5 years'],
}; // oxfmt-ignore

/** All types of products with their departments. */
export const NOUNS: readonly { noun: string; department: string }[] = Object.entries(DEPARTMENTS).flatMap(
  ([department, nouns]) => nouns.map((noun) => ({ noun, department })),
);

export const DEPARTMENT_NAMES: readonly string[] = Object.keys(DEPARTMENTS);

export const zipf = (size: number): number[] => Array.from({ length: size }, (_, rank) => 1 / (rank + 1));
export const pick = <T>(list: readonly T[], random: Random): T => list[random.below(list.length)]!;

const SYLLABLES = [
  'ba', 'cor', 'del', 'fen', 'gra', 'hol', 'in', 'jur', 'ka', 'lum', 'mer', 'no', 'or', 'pel', 'qui', 'ras',
  'sil', 'tor', 'ul', 'ven', 'wil', 'xan', 'yor', 'zen', 'al', 'bri', 'cla', 'dro', 'es', 'fi', 'gan', 'her',
]; // oxfmt-ignore

/** Returns `count` different invented words of two or three syllables. The same seed gives the same words. */
function invented(count: number, seed: number): string[] {
  const random = createRandom(seed);
  const words = new Set<string>();
  while (words.size < count)
    words.add(Array.from({ length: 2 + random.below(2) }, () => pick(SYLLABLES, random)).join(''));
  return [...words];
}

export const BRAND_NAMES: readonly string[] = invented(BRANDS, 0xb4a2d).map(
  (word) => word[0]!.toUpperCase() + word.slice(1),
);

/** Words in descriptions, from the most to the least frequent. */
export const TEXT_WORDS: readonly string[] = [
  'the', 'and', 'with', 'for', 'of', 'is', 'this', 'in', 'your', 'to', 'from', 'that', 'made', 'by', 'our', 'fits',
  ...ADJECTIVES,
  ...NOUNS.map(({ noun }) => noun),
  ...invented(RARE_WORDS, 0x7e27),
]; // oxfmt-ignore

export const textWord = (): Draw => weightedDraw('word', zipf(TEXT_WORDS.length));

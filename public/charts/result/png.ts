/** Composes a picture of a chart that can be used in documents: title, chart and legend on the background colour of the page. */

export interface LegendEntry {
  name: string;
  colour: string;
  /** Shape of the group as a text character, such as `●` or `◆`, so that colour is not the only difference. */
  glyph: string;
}

interface Picture {
  title: string;
  subtitle: string;
  legend: readonly LegendEntry[];
  background: string;
  colour: string;
  quiet: string;
  font: string;
}

const PAD = 16;

function loaded(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('the image of the chart could not be created'));
    image.src = url;
  });
}

/** Wraps `text` into lines of at most `width`, measured with the font of the context. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/**
 * Returns the picture as PNG. `url`: data URL of the chart's canvas. Its pixels are `scale` times as many, in each direction, as the chart
 * has on screen.
 */
export async function composePng(url: string, scale: number, picture: Picture): Promise<Blob> {
  const image = await loaded(url);
  const width = image.width / scale;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  const title = `600 16px ${picture.font}`;
  const text = `12px ${picture.font}`;
  context.font = text;
  const inner = width - 2 * PAD;
  const subtitle = linesOf(context, picture.subtitle, inner);
  const legend: { entry: LegendEntry; x: number; row: number }[] = [];
  let [x, row] = [0, 0];
  for (const entry of picture.legend) {
    const size = context.measureText(`${entry.glyph} ${entry.name}`).width + 18;
    if (x > 0 && x + size > inner) [x, row] = [0, row + 1];
    legend.push({ entry, x, row });
    x += size;
  }
  const top = PAD + 22 + subtitle.length * 16 + 10;
  const below = legend.length === 0 ? 0 : (row + 1) * 18 + 6;
  canvas.width = Math.round((width + 2 * PAD) * scale);
  canvas.height = Math.round((top + image.height / scale + below + PAD) * scale);
  context.scale(scale, scale);
  context.fillStyle = picture.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = picture.colour;
  context.font = title;
  context.fillText(picture.title, PAD, PAD + 14, inner);
  context.font = text;
  context.fillStyle = picture.quiet;
  subtitle.forEach((line, at) => context.fillText(line, PAD, PAD + 36 + at * 16));
  context.drawImage(image, PAD, top, width, image.height / scale);
  legend.forEach(({ entry, x: left, row: down }) => {
    const y = top + image.height / scale + 16 + down * 18;
    context.fillStyle = entry.colour;
    context.fillText(entry.glyph, PAD + left, y);
    context.fillStyle = picture.colour;
    context.fillText(entry.name, PAD + left + 14, y);
  });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

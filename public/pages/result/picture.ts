/** Converts the image of the verdict from SVG (created by `common/report/render/picture`) to PNG. */
import { verdictPicture, type PictureColours } from '../../../common/report/render/picture';
import type { Report } from '../../../common/report/model/report';

/** Scale of the PNG image, so that it is sharp on every screen. */
const SCALE = 2;

function loaded(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('the browser could not draw the picture'));
    image.src = url;
  });
}

export async function verdictPng(report: Report, colours: PictureColours): Promise<Blob> {
  const svg = verdictPicture(report, colours);
  const image = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  const canvas = document.createElement('canvas');
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  const context = canvas.getContext('2d')!;
  context.scale(SCALE, SCALE);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser could not make a PNG file')) : resolve(blob)),
      'image/png',
    ),
  );
}

const STEP_PX = 7;

/** Hatches a part of a canvas: what is not known, never to be taken for zero. */
export function hatch(
  to: CanvasRenderingContext2D,
  colour: string,
  [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
): void {
  to.save();
  to.beginPath();
  to.rect(x, y, width, height);
  to.clip();
  to.beginPath();
  for (let at = x - height; at < x + width; at += STEP_PX) {
    to.moveTo(at, y + height);
    to.lineTo(at + height, y);
  }
  to.strokeStyle = colour;
  to.lineWidth = 1;
  to.stroke();
  to.restore();
}

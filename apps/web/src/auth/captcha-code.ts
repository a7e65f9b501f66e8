/** Characters per code (CO-03, VA-04). */
const CAPTCHA_LENGTH = 5
/** Image size in pixels (CO-04, VA-05). */
export const CAPTCHA_WIDTH = 125
export const CAPTCHA_HEIGHT = 40

/** `A-Z a-z 0-9` (UI-CAPTCHA-10) without characters that look alike under noise: l, I, 1, 0, O and o. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** Generates a code; all characters are equally likely. */
export function newCode(): string {
  let code = ''
  while (code.length < CAPTCHA_LENGTH) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Rejection sampling: bytes above the largest multiple would favour the first characters.
    if (byte < 256 - (256 % ALPHABET.length)) code += ALPHABET[byte % ALPHABET.length] ?? ''
  }
  return code
}

/** Compares a typed text with the code, ignoring case (VA-06). */
export function isCode(typed: string, code: string): boolean {
  return code !== '' && typed.trim().toLowerCase() === code.toLowerCase()
}

const between = (low: number, high: number): number => low + Math.random() * (high - low)

/** Draws a code with noise (UI-CAPTCHA-01). */
export function drawCode(context: CanvasRenderingContext2D, code: string, colors: { ink: string; noise: string }): void {
  context.clearRect(0, 0, CAPTCHA_WIDTH, CAPTCHA_HEIGHT)
  context.strokeStyle = colors.noise
  context.fillStyle = colors.noise
  for (let line = 0; line < 4; line += 1) {
    context.beginPath()
    context.moveTo(between(0, 30), between(0, CAPTCHA_HEIGHT))
    context.bezierCurveTo(between(30, 60), between(0, 40), between(60, 95), between(0, 40), between(95, CAPTCHA_WIDTH), between(0, 40))
    context.stroke()
  }
  for (let dot = 0; dot < 40; dot += 1) context.fillRect(between(0, CAPTCHA_WIDTH), between(0, CAPTCHA_HEIGHT), 1.2, 1.2)
  context.fillStyle = colors.ink
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  for (const [index, letter] of [...code].entries()) {
    context.save()
    context.translate(17 + index * 23 + between(-2, 2), CAPTCHA_HEIGHT / 2 + between(-3, 3))
    context.rotate(between(-0.3, 0.3))
    context.font = `600 ${between(21, 25)}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`
    context.fillText(letter, 0, 0)
    context.restore()
  }
}

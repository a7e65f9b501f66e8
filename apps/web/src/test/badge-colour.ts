import { page } from 'vitest/browser'

const names = ['success', 'danger', 'warning', 'neutral'] as const

/** Returns a theme colour as the browser computes it. */
function computed(name: string): string {
  const probe = document.createElement('p')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Returns the theme name for a badge's rendered text colour. */
export function badgeColour(word: string): (typeof names)[number] | undefined {
  const { color } = getComputedStyle(page.getByRole('cell').getByText(word, { exact: true }).element())
  return names.find((name) => computed(name === 'neutral' ? 'ink-2' : name) === color)
}

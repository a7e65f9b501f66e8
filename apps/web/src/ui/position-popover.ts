/** Positions an open popover below its anchor, or above it if there is no room, inside the window. */
export function positionPopover(popover: HTMLElement, anchor: Element, align: 'start' | 'end' | 'center' = 'start'): void {
  const gap = 6
  const edge = 8
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const isAtLeft = (align === 'start') !== (document.documentElement.dir === 'rtl')
  const preferred = align === 'center' ? at.left + at.width / 2 - width / 2 : isAtLeft ? at.left : at.right - width
  const below = at.bottom + gap
  const fits = below + height <= innerHeight - edge || at.top < height + gap
  const left = Math.max(edge, Math.min(preferred, document.documentElement.clientWidth - width - edge))
  Object.assign(popover.style, {
    position: 'fixed',
    margin: '0',
    left: `${left}px`,
    right: 'auto',
    top: `${fits ? below : at.top - gap - height}px`,
  })
}

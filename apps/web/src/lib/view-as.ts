/**
 * A tab in which staff look at a member's pages. What it needs stands in the tab's own storage and nowhere else: the session
 * of whoever looks, in the browser's storage, is left alone.
 */
export interface View {
  token: string
  /** Whose pages. */
  name: string
  /** ISO 8601. */
  endsAt: string
}

const KEY = 'view-as'

function readView(): View | undefined {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return typeof read === 'object' && read !== null && 'token' in read ? (read as View) : undefined
  } catch {
    return undefined
  }
}

/** The look that this tab is for; one that began with the page. */
export const view: View | undefined = typeof sessionStorage === 'undefined' ? undefined : readView()

/** Opens the member's pages in a tab of their own: it takes a copy of this tab's storage, in which the look then is no more. */
export function openViewTab(look: View): void {
  sessionStorage.setItem(KEY, JSON.stringify(look))
  window.open('/dashboard', '_blank')
  sessionStorage.removeItem(KEY)
}

/** Ends the look: the tab closes, or shows nothing of the member any more. */
export function endView(): void {
  sessionStorage.removeItem(KEY)
  window.close()
  location.replace('/staff')
}

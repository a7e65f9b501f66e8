/**
 * Tab in which staff view a member's pages. Its data is only in the tab's session storage; the staff session in browser storage is
 * untouched.
 */
export interface View {
  token: string
  /** Member's name. */
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

/** This tab's view, read when the page loads. */
export const view: View | undefined = typeof sessionStorage === 'undefined' ? undefined : readView()

/** Opens the member's pages in a new tab, which copies this tab's session storage. Then removes the view from this tab. */
export function openViewTab(opened: View): void {
  sessionStorage.setItem(KEY, JSON.stringify(opened))
  window.open('/dashboard', '_blank')
  sessionStorage.removeItem(KEY)
}

/** Ends the view: closes the tab or removes the member's data. */
export function endView(): void {
  sessionStorage.removeItem(KEY)
  window.close()
  location.replace('/staff')
}

import { navigate } from 'wouter/use-browser-location'

/** One of the lists that a view has, and its address. */
export interface ListTab {
  label: string
  href: string
  isOn: boolean
}

/** Chooses between the lists of a view; which one it is stands in the address. */
export function ListTabs({ tabs }: { tabs: readonly ListTab[] }) {
  return (
    <nav className="tabs" aria-label="Which">
      {tabs.map(({ label, href, isOn }) => (
        <button
          key={label}
          type="button"
          className={isOn ? 'on' : ''}
          aria-current={isOn ? 'true' : undefined}
          onClick={() => navigate(href)}
        >
          {label}
        </button>
      ))}
    </nav>
  )
}

/** What a list says instead of rows: why it could not be read, or that it has none. */
export function ListState({ error, none }: { error: string | undefined; none: string | undefined }) {
  return (
    <>
      {error !== undefined && (
        <p className="nothing" role="alert">
          {error}
        </p>
      )}
      {none !== undefined && (
        <p className="nothing">
          <b>{none}</b>
        </p>
      )}
    </>
  )
}

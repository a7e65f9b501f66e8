import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/**
 * One parameter of the address, and a setter that keeps the others.
 * @param name of the parameter
 * @returns its value or null, and a setter; null removes it, a new history entry is made so that Back works
 */
function useSearchParam(name: string): [string | null, (value: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name)
  const set = (next: string | null): void => {
    const params = new URLSearchParams(location.search)
    if (next === null) params.delete(name)
    else params.set(name, next)
    const search = params.toString()
    navigate(`${location.pathname}${search === '' ? '' : `?${search}`}`)
  }
  return [value, set]
}

/** The 1-based page of a list, kept in the address as `?page=2`. */
export function usePage(): [number, (page: number) => void] {
  const [text, set] = useSearchParam('page')
  const page = text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
  return [page, (next) => set(next === 1 ? null : String(next))]
}

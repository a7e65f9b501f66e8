import { Spinner } from '../ui/spinner.tsx'

/** Stands where a page is about to be (UI-LAYOUT-02). */
export function PageSpinner({ tall }: { tall?: boolean }) {
  return (
    <div className={tall === true ? 'grid min-h-dvh place-items-center text-accent' : 'grid min-h-[60dvh] place-items-center text-accent'}>
      <Spinner size={26} label="Loading the page" />
    </div>
  )
}

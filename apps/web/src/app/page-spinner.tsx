import { t } from '@tizara/languages'
import { Spinner } from '../ui/spinner.tsx'

/** Frame outline with a spinner until the member code loads; also prerendered into spa.html. */
export function FrameSpinner() {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <div className="hidden border-e bg-surface lg:block" />
      <div>
        <div className="h-15 border-b bg-surface" />
        <PageSpinner />
      </div>
    </div>
  )
}

/** Loading page's placeholder (UI-LAYOUT-02). */
export function PageSpinner({ tall }: { tall?: boolean }) {
  return (
    <div className={tall === true ? 'grid min-h-dvh place-items-center text-accent' : 'grid min-h-[60dvh] place-items-center text-accent'}>
      <Spinner size={26} label={t('Loading the page')} />
    </div>
  )
}

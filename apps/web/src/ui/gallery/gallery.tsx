import { useEffect } from 'react'
import Moon from 'lucide-react/icons/moon'
import { BrandMark } from '../art/brand-mark.tsx'
import { IconButton } from '../icon-button.tsx'
import { MessageHost } from '../message-box.tsx'
import { ToastHost, toast } from '../toast.tsx'
import { Charts } from './charts.tsx'
import { Data } from './data.tsx'
import { Forms } from './forms.tsx'
import { Overlays } from './overlays.tsx'
import { Pictures } from './pictures.tsx'

/** Every component on one page, to be looked at in both themes. */
export function Gallery() {
  useEffect(() => {
    if (location.hash === '#toast') {
      toast('Copied to clipboard', { ms: 0 })
      toast('The price could not be loaded', { tone: 'danger', ms: 0, action: { label: 'Retry', onSelect: () => undefined } })
    }
  }, [])
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="sticky top-0 z-10 flex h-14 items-center gap-3 border-b bg-surface px-4 sm:px-7">
        <BrandMark />
        <span className="flex-1 text-md font-strong tracking-head">Tizara</span>
        <IconButton label="Theme" variant="outline" onClick={() => document.body.classList.toggle('dark')}>
          <Moon aria-hidden="true" />
        </IconButton>
      </header>
      <main id="main" className="mx-auto max-w-[1240px] space-y-10 px-4 py-6 sm:px-7" style={{ ['--header-h' as string]: '56px' }}>
        <Data />
        <Charts />
        <Pictures />
        <Forms />
        <Overlays />
      </main>
      <MessageHost />
      <ToastHost />
    </>
  )
}

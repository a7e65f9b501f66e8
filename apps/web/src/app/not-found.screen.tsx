import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { NotFoundArt } from '../ui/art/not-found-art.tsx'
import { buttonClass } from '../ui/button-class.ts'

/** Page for unknown paths (RT-58, RT-60). */
export default function NotFoundScreen() {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center pt-8 text-center sm:pt-16">
      <NotFoundArt />
      <p className="mt-6 text-sm font-semi text-faint">404</p>
      <h1 className="mt-1 text-2xl font-strong tracking-num">{t('Page not found')}</h1>
      <p className="mt-2 text-muted">{t('The address may be mistyped, or the page may have moved.')}</p>
      <Link href="/" className={buttonClass('primary', 'md', 'mt-6')}>
        {t('Go to the start')}
      </Link>
    </div>
  )
}

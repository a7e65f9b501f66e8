import Scale from 'lucide-react/icons/scale'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'terms',
  title: 'Terms of use',
  icon: Scale,
  right: 'staffTermsOfUse',
  menu: { section: 'Platform', position: 10 },
  load: () => import('./terms.view.tsx'),
}

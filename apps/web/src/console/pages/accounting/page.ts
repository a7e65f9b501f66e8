import BookOpenText from 'lucide-react/icons/book-open-text'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'accounting',
  title: 'Accounting',
  icon: BookOpenText,
  right: 'staffAccounting',
  menu: { section: 'Audit', position: 4 },
  load: () => import('./accounting.view.tsx'),
}

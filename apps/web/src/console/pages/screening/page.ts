import ScanSearch from 'lucide-react/icons/scan-search'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'screening',
  title: 'Screening',
  icon: ScanSearch,
  right: 'staffScreeningHits',
  menu: { section: 'People', position: 4 },
  load: () => import('./screening.view.tsx'),
}

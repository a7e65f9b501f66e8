import Tag from 'lucide-react/icons/tag'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'catalogue',
  title: 'Catalogue',
  icon: Tag,
  right: 'staffCatalogue',
  menu: { section: 'Platform', position: 2 },
  load: () => import('./catalogue.view.tsx'),
}

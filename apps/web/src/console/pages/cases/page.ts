import FolderSearch from 'lucide-react/icons/folder-search'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'cases',
  title: 'Cases',
  icon: FolderSearch,
  right: 'staffCases',
  menu: { section: 'People', position: 3 },
  load: () => import('./cases.view.tsx'),
}

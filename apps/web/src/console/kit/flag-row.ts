/** Classes of a flag row: icon, text, link on the right, details below. */
export const FLAG_ROW =
  'grid grid-cols-[18px_minmax(0,1fr)_auto] gap-x-2 border-t py-[7px] first:border-t-0 [&>*]:col-start-2 [&>a]:col-start-3 [&>a]:row-start-1 [&>svg]:col-start-1 [&>svg]:row-start-1 [&>svg]:mt-0.5'

/** The path of a request's address, without the query and with single slashes. */
export function pathOf(url: string): string {
  if (url === '/') return url
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).replace(/\/+/g, '/')
}

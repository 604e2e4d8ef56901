/** The path of a request's URL, without the query and with repeated slashes merged. */
export function pathOf(url: string): string {
  if (url === '/') return url
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).replace(/\/+/g, '/')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, also between the quotes of an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

export const HTML_TYPE = 'text/html; charset=utf-8';

/** The style sheet of the page under a name that stays. */
export const STYLE_PATH = '/web/style.css';

/**
 * A short page without scripts, in the look of the page where that is built.
 *
 * @param title text
 * @param body HTML
 */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Perpmeter</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header class="top"><a class="brand" href="/">Perpmeter</a></header>
<main class="short">
${body}
</main>
<footer><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a><a href="/errors">Error codes</a></footer>
</body>
</html>
`;

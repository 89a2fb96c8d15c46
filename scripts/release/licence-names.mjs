// Which licence a text is, by the sentences that only it has. An SPDX name, as https://spdx.org/licenses lists them.

/** In this order: a text that adds its own sentence to that of another stands before it. */
const SENTENCES = [
  // Elastic's libraries; docs/decisions/0004-eui.md says what that means.
  [
    'SSPL-1.0 OR Elastic-2.0',
    /dual license under the Server Side Public License, v 1 and the Elastic License 2\.0/i,
  ],
  ['Apache-2.0', /Apache License,? Version 2\.0/i],
  ['MPL-2.0', /Mozilla Public License,? (Version|v\.) 2\.0/i],
  ['ISC', /Permission to use, copy, modify, and( or)? distribute this software for any purpose/i],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/i],
  [
    'BSD-3-Clause',
    /Redistribution and use in source and binary forms.*(Neither the names? of|The names? of the author may not be used|may not be used to endorse)/i,
  ],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms/i],
  ['Unlicense', /This is free and unencumbered software released into the public domain/i],
];

/** Undefined where no known licence says that. */
export function licenceOf(text) {
  // Lines break anywhere, and some begin with marks of a comment.
  const flowing = text.replace(/[\s/*#]+/g, ' ');
  return SENTENCES.find(([, sentence]) => sentence.test(flowing))?.[0];
}

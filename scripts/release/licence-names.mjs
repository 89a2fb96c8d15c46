// Recognises licences by characteristic sentences. Returns SPDX names (https://spdx.org/licenses).

/**
 * Names of licences, each with sentences by which it is recognised. They are checked in this order. Therefore, a licence that quotes a
 * sentence of another licence must come before that licence.
 */
const SENTENCES = [
  // Licence of Elastic's libraries; docs/decisions/0004-eui.md explains the consequences.
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

/** Returns the SPDX name of a licence, recognised by its text. Undefined if the licence is unknown. */
export function licenceOf(text) {
  // Removes line breaks and comment marks.
  const flowing = text.replace(/[\s/*#]+/g, ' ');
  return SENTENCES.find(([, sentence]) => sentence.test(flowing))?.[0];
}

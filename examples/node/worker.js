/* The test: documents that this template engine reads, and then dies of. */
'use strict';
const { serve } = require('./pare.js');

/* The program under test: {{name}} is replaced; a name that is a property of every object is a bug. */
function render(template, values) {
    return template.replace(/\{\{(\w+)\}\}/g, (all, name) => values[name].trim());
}

serve(bytes => {
    try {
        render(bytes.toString(), { title: 'T', author: 'A' });
        return false;
    } catch (error) {
        return error instanceof TypeError && /not a function/.test(error.message);
    }
});
